// Changes the code of a chunk without changing what it does.
import { minifySync } from 'rolldown/utils'

/** Builtins that a start does not use. */
const NOT_AT_START = ['node:path', 'node:url']

/** What a chunk exports does not change, so that it needs no getters. */
export function withPlainExports(code) {
  const getter =
    /^Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm
  return code.replaceAll(getter, 'exports.$1 = $2;')
}

/** Globals that applications, and tests that imitate a browser, remove or replace. */
const GLOBALS = {
  process: 'require("node:process")',
  Buffer: 'require("node:buffer").Buffer',
  URL: 'require("node:url").URL',
  performance: 'require("node:perf_hooks").performance',
  setTimeout: 'require("node:timers").setTimeout',
  clearTimeout: 'require("node:timers").clearTimeout',
  setImmediate: 'require("node:timers").setImmediate',
}

/** Loaded, and done with the process, before the application. */
const BEFORE_APPLICATION = new Set(['index.cjs', 'hot.cjs'])

/** A start loads no builtin for it. */
const AT_START = { process: 'globalThis.process?.pid ? globalThis.process : require("node:process")' }

/** Takes the globals that a chunk uses from Node: chunks are loaded, and run, after the application changed them. */
export function withOwnGlobals(fileName, code, isStart) {
  if (BEFORE_APPLICATION.has(fileName)) return code
  const globals = isStart ? AT_START : GLOBALS
  const own = Object.keys(globals).filter((name) => isUsed(name, code))
  const taken = own.find((name) => new RegExp(`^(?:const|let|var|function|class) ${name}\\b`, 'm').test(code))
  if (taken) throw new Error(`a chunk has a variable ${taken} of its own`)
  return code.replace(/^"use strict";$|^/m, (strict) =>
    [strict, ...own.map((name) => `const ${name} = ${globals[name]};`)].join('\n'),
  )
}

const isUsed = (name, code) => new RegExp(`(?<![\\w$.'"\`])${name}(?:\\??\\.|\\()`).test(code)

/** Loads builtins where they are used: in a thread one can take 4 M instructions. */
export function withLateBuiltins(code) {
  return NOT_AT_START.reduce((changed, builtin) => {
    const [declaration, name] =
      new RegExp(`^(?:let|const) ([\\w$]+) = require\\("${builtin}"\\);$`, 'm').exec(changed) ?? []
    if (!declaration) return changed
    return changed
      .replace(declaration, '')
      .replaceAll(new RegExp(`(?<![\\w$.])${name}\\.`, 'g'), `require("${builtin}").`)
  }, code)
}

/**
 * The same with less for V8 to read, which takes a good part of the start. Names of functions and classes stay, and so do
 * lines, so that stack traces can be read without a source map. A single character beyond Latin-1 would make V8 decode
 * the file slowly and keep two bytes for each of its characters, so those are escaped.
 */
export function lessToRead(file, code) {
  const names = { keepNames: { function: true, class: true } }
  const changed = minified(file, code, { mangle: { toplevel: true, ...names }, compress: names })
  const flush = changed.replaceAll(/^\t+/gm, '')
  const alone = { codegen: { removeWhitespace: true } }
  if (minified(file, flush, alone) !== minified(file, changed, alone))
    throw new Error(`${file} has a text with tabs at the beginning of a line, which would be lost`)
  return flush.replaceAll(/[^\0-\x7f]/g, escaped)
}

/** It means the same in strings, templates and regular expressions. */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function minified(file, code, options) {
  const without = { module: false, mangle: false, compress: false, codegen: { removeWhitespace: false } }
  const { code: changed, errors } = minifySync(file, code, { ...without, ...options })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return changed
}
