// Asks for a prompt that is also a file, as often as it is told, and says what came, how long the first one took, and
// when the process had nothing more to do.
import { SvcClient } from '@svc/client'

const prompts = {
  'movie-critic': { type: 'text', version: 3, labels: ['production'], config: {}, prompt: 'Judge {{movie}}.' },
  guide: { type: 'text', version: 1, labels: ['production'], config: {}, prompt: 'You know {{city}}.' },
}
const { prompt } = new SvcClient({ prompts })
const started = performance.now()
const critic = await prompt.get('movie-critic')
const first = performance.now()
const [again, guide] = await Promise.all([prompt.get('movie-critic'), prompt.get('guide')])
const others = performance.now() - first
const got = [critic, again, guide].map(({ name, version, isFallback }) => ({ name, version, isFallback }))
console.log(JSON.stringify({ text: critic.compile({ movie: 'Dune' }), got, first: first - started, others }))
