// Asks for prompts that are also files, and prints what came and how long the first one took.
import { SvcClient } from '@svc/client'

const prompts = {
  'movie-critic': { type: 'text', version: 3, labels: ['production'], config: {}, prompt: 'Judge {{movie}}.' },
  guide: { type: 'text', version: 1, labels: ['production'], config: {}, prompt: 'You know {{city}}.' },
}
const { prompt } = new SvcClient({ prompts })
const started = performance.now()
const critic = await prompt.get('movie-critic')
const first = performance.now() - started
const [again, guide] = await Promise.all([prompt.get('movie-critic'), prompt.get('guide')])
const got = [critic, again, guide].map(({ name, version, isFallback }) => ({ name, version, isFallback }))
console.log(JSON.stringify({ text: critic.compile({ movie: 'Dune' }), got, first }))
