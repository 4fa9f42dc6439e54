// Calls of `openai`.
import { ask, openai, QUESTION, streamed, textOf } from './clients.mjs'

export default {
  openai: async (kit) => textOf(await ask(await openai(kit))),
  'openai, streamed': async (kit) => streamed(await ask(await openai(kit), { stream: true })),
  'openai, responses': async (kit) =>
    (await (await openai(kit)).responses.create({ model: 'gpt-test', input: QUESTION })).output_text,
  'openai, embeddings': async (kit) =>
    (await (await openai(kit)).embeddings.create({ model: 'embedding-test', input: QUESTION })).data.length,
  'openai, refused': async (kit) =>
    ask(await openai(kit, 'openai', { maxRetries: 0 }), { model: 'error-429' }).catch(({ status }) => status),
}
