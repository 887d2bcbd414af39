/** Running text of a Feishu markdown element. Pure data: the page builds nodes from it and never touches markup. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "strong" | "em" | "strike"; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: "colour"; readonly colour: string; readonly children: readonly Inline[] }
  | { readonly kind: "tag"; readonly colour: string; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly ground: string; readonly colour: string }
  | { readonly kind: "mention"; readonly openId: string }
  | {
      readonly kind: "person";
      readonly openId: string;
      readonly showName: boolean;
      readonly showAvatar: boolean;
      readonly capsule: boolean;
    }
  | { readonly kind: "time"; readonly atMs: number; readonly format: string; readonly href?: string }
  | { readonly kind: "image"; readonly imageKey: string; readonly alt: string }
  | { readonly kind: "audio" }
  | { readonly kind: "break"; readonly hard: boolean };

/** How a table column is set. */
export type Align = "left" | "center" | "right";

/** A paragraph-sized part of a Feishu markdown element. */
export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: "quote"; readonly children: readonly Block[] }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly start: number;
      readonly tight: boolean;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" }
  | {
      readonly kind: "table";
      readonly align: readonly Align[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };
