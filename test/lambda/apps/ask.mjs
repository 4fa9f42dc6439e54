import OpenAI from 'openai'

/** A model call. */
export async function ask(question) {
  const answer = await new OpenAI().chat.completions.create({
    model: 'gpt-test',
    messages: [{ role: 'user', content: question }],
  })
  return answer.choices[0].message.content
}
