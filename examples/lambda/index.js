import OpenAI from 'openai'

const model = new OpenAI()

/** Answers a question that comes by a function URL. */
export async function handler({ body }) {
  const { question } = JSON.parse(body)
  const answer = await model.chat.completions.create({
    model: 'gpt-4.1-mini',
    messages: [{ role: 'user', content: question }],
  })
  return { statusCode: 200, body: JSON.stringify({ answer: answer.choices[0].message.content }) }
}
