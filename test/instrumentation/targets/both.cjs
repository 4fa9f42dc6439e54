// Two copies of one package in one process: each has its own class.
const { OpenAI } = require('openai')
const messages = [{ role: 'user', content: 'What is a span?' }]
const ask = (Client, model) => new Client().chat.completions.create({ model, messages })

ask(OpenAI, 'required')
  .then(() => import('openai'))
  .then((imported) => {
    console.log(imported.OpenAI === OpenAI)
    return ask(imported.OpenAI, 'imported')
  })
