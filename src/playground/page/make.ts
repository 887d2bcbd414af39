type Child = Node | string | undefined | null | false;

type Props = {
  readonly class?: string | undefined;
  /** Attributes; undefined leaves one out, true writes it without a value. */
  readonly attrs?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** CSS properties, custom ones included. Set through the object model, so no inline style attribute is written. */
  readonly style?: Readonly<Record<string, string | undefined>>;
  readonly on?: { readonly [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
};

/** Builds one element. Text children become text nodes: nothing here ever parses markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props | string = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: names, attrs, style, on } = typeof props === "string" ? { class: props } : props;
  if (names) element.className = names;
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, value] of Object.entries(style ?? {})) {
    if (value !== undefined) element.style.setProperty(name, value);
  }
  for (const [name, listener] of Object.entries(on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(
    ...children.filter(
      (child): child is Node | string => child instanceof Node || (typeof child === "string" && child !== ""),
    ),
  );
  return element;
}
