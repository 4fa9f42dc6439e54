// Prints whether what observes calls is loaded: before the package is, after it, and after a call.
const loaded = () => Object.keys(require.cache).some((path) => /openai[\\/]instrument\.js$/.test(path))
const said = [loaded()]
const { OpenAI } = require('openai')
said.push(loaded())
const messages = [{ role: 'user', content: 'Say hello.' }]
const answer = new OpenAI().chat.completions.create({ model: 'gpt-4o-mini', messages })
said.push(loaded())
answer.then(() => console.log(`before: ${said[0]}, with the package: ${said[1]}, with a call: ${said[2]}`))
