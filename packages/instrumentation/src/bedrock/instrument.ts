import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf } from '../calls/read.ts'
import { isMethod, shadow } from '../calls/shadow.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'
import { observing } from '../methods/observed.ts'
import { patchMethods } from '../methods/patch.ts'
import { converseAnswer, messageOf, partsOf } from './messages.ts'
import { StreamListener } from './stream-listener.ts'

const CONVERSE: ReadonlySet<unknown> = new Set(['ConverseCommand', 'ConverseStreamCommand'])

const METHODS: readonly ObservedMethod[] = [
  {
    name: 'send',
    operation: 'chat',
    // Called with a callback it returns nothing that could be followed.
    applies: ([command, ...rest]) => CONVERSE.has(commandOf(command)) && !rest.some(isMethod),
    ask,
    answer: converseAnswer,
    listen: () => new StreamListener(),
    streamIn: ({ stream }) => stream,
  },
]

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_MAX_TOKENS, ['maxTokens']],
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['topP']],
]

/**
 * Makes every client of `@aws-sdk/client-bedrock-runtime` record what goes through the Converse API, streamed or not,
 * as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as bedrock from '@aws-sdk/client-bedrock-runtime'` or `require(…)` of it gave
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentBedrock(exports: unknown): boolean {
  return (
    attempt('instrument @aws-sdk/client-bedrock-runtime', () => patch(fieldsOf(exports).BedrockRuntimeClient)) ?? false
  )
}

function patch(client: unknown): boolean {
  const prototype = typeof client === 'function' ? fieldsOf(client.prototype) : {}
  const { send } = prototype
  if (!isMethod(send)) return false
  // The method is that of all clients of AWS, and the others are left alone.
  if (!Object.hasOwn(prototype, 'send')) {
    const own = {
      send(...args: unknown[]): unknown {
        return send.apply(this, args)
      },
    }
    shadow(prototype, 'send', own.send)
  }
  return patchMethods(client, ['send'], () => observing('@svc/instrumentation-bedrock', METHODS))
}

function ask(_: Fields, [command, options]: readonly unknown[]): Asked {
  const input = fieldsOf(fieldsOf(command).input)
  const parameters = fieldsOf(input.inferenceConfig)
  return {
    model: nameOf(input.modelId),
    attributes: defined({
      [GEN_AI.PROVIDER_NAME]: 'aws.bedrock',
      ...numbersOf(parameters, NUMBERS),
      [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(parameters.stopSequences),
      [GEN_AI.REQUEST_STREAM]: commandOf(command) === 'ConverseStreamCommand' ? true : undefined,
    }),
    question: () => {
      const instructions = partsOf(input.system)
      return {
        ...(instructions.length > 0 ? { instructions } : {}),
        messages: listOf(input.messages).map(messageOf),
        tools: fieldsOf(input.toolConfig).tools,
      }
    },
    signal: fieldsOf(options).abortSignal ?? null,
  }
}

function commandOf(command: unknown): string | undefined {
  return (command as Fields | undefined)?.constructor?.name
}
