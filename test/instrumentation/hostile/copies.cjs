// One process with a library in many copies. Prints how many there were, and what a client of each was told.
const { createRequire } = require('node:module')
const { pathToFileURL } = require('node:url')

const about = { model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }] }
const others = createRequire(require.resolve('../openai/cases.mjs'))

async function ask({ OpenAI }) {
  class Own extends OpenAI {}
  const { choices } = await new Own().chat.completions.create(about)
  return choices[0].message.content
}

/** What is required once more, as if it never was. */
function again(name) {
  for (const path of Object.keys(require.cache)) if (/[\\/]openai[\\/]/.test(path)) delete require.cache[path]
  return require(name)
}

async function main() {
  const copies = new Set([require('openai'), again('openai'), again('openai')])
  for (const name of ['openai-4.104', 'openai-5', 'openai-6']) copies.add(others(name))
  copies.add(await import('openai'))
  const { href } = pathToFileURL(require.resolve('openai').replace(/js$/, 'mjs'))
  for (const query of ['one', 'two']) copies.add(await import(`${href}?${query}`))
  const outputs = []
  for (const copy of copies) outputs.push(await ask(copy))
  console.log(outputs.length, outputs)
}

main()
