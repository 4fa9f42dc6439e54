// A worker that takes its prompts along, as the module that `svc prompts` writes has them.
import { SvcClient } from '@svc/client'

const prompts = {
  'movie-critic': { type: 'text', version: 3, labels: ['production'], config: {}, prompt: 'Judge {{movie}}.' },
}

export async function handle(options) {
  const client = new SvcClient({ ...options, prompts })
  const critic = await client.prompt.get('movie-critic')
  const { version, isFallback } = critic
  return { text: critic.compile({ movie: 'Dune' }), version, isFallback }
}
