// A graph whose node calls a model.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import OpenAI from 'openai'

const State = Annotation.Root({ question: Annotation, answer: Annotation })
export const graph = new StateGraph(State)
  .addNode('ask', async ({ question }) => {
    const messages = [{ role: 'user', content: question }]
    const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
    return { answer: choices[0].message.content }
  })
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile()
