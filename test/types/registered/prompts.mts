// Prompts that the compiler knows by their files, as the module that `svc prompts` writes declares them.
import { type ChatPromptClient, SvcClient, type SvcPromptClient, type TextPromptClient } from '@svc/client'

declare global {
  interface SvcPrompts {
    'movie-critic': { type: 'text'; variables: { movie: string; mood?: unknown } }
    'still life': { type: 'text'; variables: Record<string, never> }
    guide: { type: 'chat'; variables: { city: string }; placeholders: { history: readonly object[] } }
    greeting: { type: 'chat'; variables: Record<string, never>; placeholders: Record<string, never> }
  }
}

const client = new SvcClient()

const critic = await client.prompt.get('movie-critic', { label: 'staging', cacheTtlSeconds: 5, fallback: '{{movie}}' })
const text: string = critic.compile({ movie: 'Dune' })
critic.compile({ movie: 'Dune', mood: 'sad' })
// @ts-expect-error a variable is missing
critic.compile()
// @ts-expect-error a variable is missing
critic.compile({ mood: 'sad' })
// @ts-expect-error no such variable
critic.compile({ movie: 'Dune', city: 'Oslo' })

const still = await client.prompt.get('still life')
still.compile()
// @ts-expect-error it has no variables
still.compile({ movie: 'Dune' })

const guide = await client.prompt.get('guide', { type: 'chat' })
for (const { role, content } of guide.compile({ city: 'Oslo' }, { history: [] })) console.log(role, content)
// @ts-expect-error the messages of a placeholder are missing
guide.compile({ city: 'Oslo' })
// @ts-expect-error no such placeholder
guide.compile({ city: 'Oslo' }, { history: [], examples: [] })
;(await client.prompt.get('greeting')).compile()

// @ts-expect-error there is no such prompt
await client.prompt.get('movie-critik')
// @ts-expect-error it is a text
await client.prompt.get('movie-critic', { type: 'chat' })
// @ts-expect-error it is a chat, and no text can take its place
await client.prompt.get('guide', { fallback: 'You know {{city}}.' })

// A name that is only known at run time, or not kept as a file.
const name: string = process()
const loose: TextPromptClient = await client.prompt.get(name)
loose.compile({ anything: 1 })
const chat: ChatPromptClient = await client.prompt.get(name, { type: 'chat' })
chat.compile()
await client.prompt.get('of another project' as string)
const either = await client.prompt.get(Math.random() > 0.5 ? 'movie-critic' : 'guide')
if (either.type === 'text') either.compile({ movie: 'Dune' })

// Whoever takes any prompt takes these.
const any: SvcPromptClient[] = [critic, still, guide]
const plain: TextPromptClient = critic
const messages: ChatPromptClient = guide

export { any, messages, plain, text }

declare function process(): string
