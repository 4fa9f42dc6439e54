import type { TokenizerAndRendererExtension, Tokens } from 'marked'

/** A formula on lines of its own: `$$ … $$` or `\[ … \]`. */
const OWN_LINES = /^ {0,3}(?:\$\$(.{1,2999}?)\$\$|\\\[(.{1,2999}?)\\\])[^\S\n]*(?:\n|$)/s
/** A formula within a line. Sums of money are none: the dollar at its end stands after no space, and before no digit. */
const IN_LINE =
  /^(?:\$\$([^$]{1,2999})\$\$|\\\((.{1,999}?)\\\)|\$(?![\s$])((?:\\[^\n]|[^$\\\n]){1,999}?)(?<!\s)\$(?![\w{$]))/s

/**
 * Reads the TeX of markdown. It stands as it was written in an element that has it as `data-math`, until it is drawn
 * there: where `data-block` is, too, as a line of its own.
 *
 * @param toHtml writes text as HTML.
 */
export const readFormulas = (toHtml: (text: string) => string): TokenizerAndRendererExtension[] => [
  {
    name: 'formulas',
    level: 'block',
    // A paragraph goes no farther than to an empty line.
    start: (src) => src.slice(0, src.indexOf('\n\n') + 1 || src.length).search(/^ {0,3}(?:\$\$|\\\[)/m),
    tokenizer: (src) => findFormula('formulas', OWN_LINES.exec(src)),
    renderer: ({ text, raw }) => `<p data-math="${toHtml(text)}" data-block="">${toHtml(raw)}</p>\n`,
  },
  {
    name: 'formula',
    level: 'inline',
    // Asked for each piece of a text, which may be long.
    start: (src) => src.slice(0, 5_000).search(/\$|\\\(/),
    tokenizer: (src) => findFormula('formula', IN_LINE.exec(src)),
    renderer: ({ text, raw }) =>
      `<span data-math="${toHtml(text)}"${raw.startsWith('$$') ? ' data-block=""' : ''}>${toHtml(raw)}</span>`,
  },
]

function findFormula(type: string, found: RegExpExecArray | null): Tokens.Generic | undefined {
  const [raw, ...parts] = found ?? []
  return raw === undefined ? undefined : { type, raw, text: parts.find(Boolean) }
}
