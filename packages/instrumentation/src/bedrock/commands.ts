import { GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import type { MethodSpec, ResponseSpec } from '../patch/method-spec.ts'
import { converse } from './converse.ts'
import { findReader } from './families.ts'
import { InvokeStreamAccumulator, readInvokeBody, readInvokeResponse } from './invoke.ts'

/**
 * The commands that call a model: whether the body is in the model's own protocol (`invoked`), and whether the response
 * is a stream.
 */
const COMMANDS: Readonly<Record<string, { readonly invoked: boolean; readonly streamed: boolean }>> = {
  ConverseCommand: { invoked: false, streamed: false },
  ConverseStreamCommand: { invoked: false, streamed: true },
  InvokeModelCommand: { invoked: true, streamed: false },
  InvokeModelWithResponseStreamCommand: { invoked: true, streamed: true },
}

/** Describes a command; undefined if it calls no model. */
export function describeCommand(command: unknown): MethodSpec | undefined {
  const fields = asRecord(command)
  return describeModelCommand(readCommandName(fields), asRecord(fields.input))
}

/** @param commandName the name of its class */
export function describeModelCommand(commandName: string, input: Fields): MethodSpec | undefined {
  const command = own(COMMANDS, commandName)
  if (!command) return undefined
  const model = asName(input.modelId)
  const body = command.invoked ? readInvokeBody(input.body) : input
  const reader = command.invoked ? findReader(model ?? '', body) : converse
  return {
    name: 'send',
    operation: reader?.name ?? guessOperation(model),
    describeRequest: (_, [, options]) => ({
      model,
      attributes: defined({
        [GEN_AI.PROVIDER_NAME]: 'aws.bedrock',
        ...reader?.readParameters(body),
        [GEN_AI.REQUEST_STREAM]: command.streamed ? true : undefined,
      }),
      readContent: () => reader?.readRequest(body) ?? {},
      signal: asRecord(options).abortSignal ?? null,
    }),
    ...(command.invoked ? createInvokeSpec(reader) : CONVERSE_SPEC),
  }
}

/** Reads the name of a command. Newer versions have it in a schema, too, which survives minification. */
export function readCommandName({ schema, constructor: commandClass }: Fields): string {
  const operation = asName(asArray(schema)[2])
  return operation === undefined ? (commandClass?.name ?? '') : `${operation}Command`
}

const CONVERSE_SPEC: ResponseSpec = {
  readResponse: converse.readResponse,
  createAccumulator: converse.createAccumulator,
  findStream: ({ stream }) => stream,
}

function createInvokeSpec(reader: Reader | undefined): ResponseSpec {
  return {
    readResponse: (value) => readInvokeResponse(value, reader),
    createAccumulator: () => new InvokeStreamAccumulator(reader),
    findStream: ({ body }) => body,
  }
}

/** Guesses the operation of an unknown model: embedding models have it in their name. */
function guessOperation(model: string | undefined): string {
  return model && /embed/i.test(model) ? 'embeddings' : 'generate_content'
}
