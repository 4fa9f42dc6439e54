// Prints whether what observes calls is loaded: before the package is, after it, and after a call.
const loaded = () => Object.keys(require.cache).some((path) => /openai[\\/]instrument\.js$/.test(path))
const states = [loaded()]
const { OpenAI } = require('openai')
states.push(loaded())
const messages = [{ role: 'user', content: 'Say hello.' }]
const answer = new OpenAI().chat.completions.create({ model: 'gpt-4o-mini', messages })
states.push(loaded())
answer.then(() => console.log(`before: ${states[0]}, with the package: ${states[1]}, with a call: ${states[2]}`))
