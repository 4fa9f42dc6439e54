// Calls the AI SDK of a folder with more text than fits, and with a secret, and leaves a stream that says so, too.
// node --import @svc/register content.mjs <folder> <installed as> <model URL>
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { modelThat } from '../ai-5/model.mjs'

const [folder, name, url] = process.argv.slice(2)
const { load, connect } = await import(pathToFileURL(`${folder}/cases.mjs`))
const exports = await load.import(name)
const client = connect({ exports, url })
const { generateText, streamText } = exports
globalThis.AI_SDK_LOG_WARNINGS = false

const long = 'The secret is 4711. '.repeat(1_000)
await generateText({ model: client('gpt-4o-mini'), system: long, prompt: long, headers: { 'x-key': '4711' } })
const { textStream } = streamText({ model: modelThat('stalls', { client }, [long, 'the end']), prompt: long })
for await (const piece of textStream) if (piece === 'the end') break
await turn()
