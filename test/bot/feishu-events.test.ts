import { describe, expect, test } from "vitest";
import { readEvent } from "../../src/bot/feishu-events.ts";

const header = {
  event_id: "e1",
  event_type: "card.action.trigger",
  app_id: "cli_a0b1c2d3e4f50617",
  create_time: "1",
  tenant_key: "t",
};
const operator = { open_id: "ou_owner", union_id: "on_1" };
const action = { tag: "button", value: { v: 1 } };

describe("readEvent", () => {
  test("ids under context and ids at the root give the same item and the same chat", () => {
    const a = readEvent({
      schema: "2.0",
      header,
      event: { operator, action, context: { open_message_id: "om_1", open_chat_id: "oc_1" } },
    });
    const b = readEvent({
      schema: "2.0",
      header,
      event: { operator, action, open_message_id: "om_1", open_chat_id: "oc_1" },
    });
    expect(a).toEqual(b);
    expect(a).toMatchObject({ kind: "tap", messageId: "om_1", chatId: "oc_1", operatorOpenId: "ou_owner" });
  });

  test("the SDK's flattened form reads the same as the envelope", () => {
    const event = { operator, action, context: { open_message_id: "om_1", open_chat_id: "oc_1" }, token: "c-1" };
    expect(readEvent({ schema: "2.0", ...header, ...event })).toEqual(readEvent({ schema: "2.0", header, event }));
  });

  test("a tap without an operator's open_id is not taken", () => {
    expect(
      readEvent({
        header,
        event: { operator: { union_id: "on_1" }, action, context: { open_message_id: "om_1", open_chat_id: "oc_1" } },
      }),
    ).toBeUndefined();
  });

  test("a message's key is its message id, not the event id", () => {
    const message = {
      message_id: "om_9",
      create_time: "1777777777000",
      chat_id: "oc_1",
      chat_type: "p2p",
      message_type: "text",
      content: '{"text":"hi"}',
    };
    const once = readEvent({
      header: { ...header, event_type: "im.message.receive_v1" },
      event: { sender: { sender_id: operator, sender_type: "user" }, message },
    });
    const again = readEvent({
      header: { ...header, event_id: "e2", event_type: "im.message.receive_v1" },
      event: { sender: { sender_id: operator, sender_type: "user" }, message },
    });
    expect(once).toMatchObject({ kind: "message", text: "hi", dedupeKey: "cli_a0b1c2d3e4f50617:om_9" });
    expect(again?.dedupeKey).toBe(once?.dedupeKey);
  });

  test("rich text becomes its words", () => {
    const content = JSON.stringify({
      title: "T",
      content: [
        [
          { tag: "text", text: "a " },
          { tag: "at", user_name: "Li" },
        ],
        [{ tag: "text", text: "b" }],
      ],
    });
    const message = {
      message_id: "om_9",
      create_time: "1",
      chat_id: "oc_1",
      chat_type: "group",
      message_type: "post",
      content,
    };
    expect(
      readEvent({
        header: { ...header, event_type: "im.message.receive_v1" },
        event: { sender: { sender_id: operator }, message },
      }),
    ).toMatchObject({
      text: "T\na @Li\nb",
      chatType: "group",
    });
  });

  test.each([null, 7, "x", {}, { header: {} }, { header, event: null }, { header, event: { operator: 1 } }])(
    "takes %j without a crash and gives nothing",
    (raw) => {
      expect(readEvent(raw)).toBeUndefined();
    },
  );
});
