import { type Llm, LlmError } from "../engine/ports.ts";

/** No endpoint is configured: every question is answered with `none`, so that callers take their way without a model. */
export const noModel: Llm = {
  configured: false,
  ask() {
    return Promise.reject(new LlmError("none", "no model is configured"));
  },
};
