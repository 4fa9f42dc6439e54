// A model call from TypeScript that Node itself cannot run.
import OpenAI from 'openai'

enum Model {
  Test = 'gpt-test',
}

const answer = await new OpenAI().chat.completions.create({
  model: Model.Test,
  messages: [{ role: 'user', content: 'Say hello.' }],
})
console.log(`answer: ${answer.choices[0]?.message.content}`)
