import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { Accumulator, type StreamSchema } from '../../gen-ai/accumulator.ts'
import type { RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { each, last, text } from '../../gen-ai/merge.ts'
import { textPart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../../gen-ai/read.ts'
import type { MethodSpec, RequestInfo } from '../../patch/method-spec.ts'
import { readCommandName } from '../commands.ts'
import { readIntervention } from '../messages.ts'
import { createAgentStream, readAgentRequest } from './agents.ts'
import { createFlowStream, readDocuments } from './flows.ts'

interface AgentCommand {
  /** `gen_ai.operation.name` */
  readonly operation: string
  readonly describeInput: (input: Fields) => Pick<RequestInfo, 'agent' | 'model' | 'dataSource'> & { session?: unknown }
  readonly readRequest: (input: Fields) => RequestContent
  readonly readResponse?: (output: Fields) => ResponseContent
  /** For streamed responses: the field with the stream, and how its events merge. */
  readonly stream?: { readonly field: string; readonly createSchema: () => StreamSchema }
}

const RETRIEVE: AgentCommand = {
  operation: 'retrieval',
  describeInput: ({ knowledgeBaseId }) => ({ dataSource: asName(knowledgeBaseId) }),
  readRequest: ({ retrievalQuery }) => ({ input: retrievalQuery }),
  readResponse: ({ retrievalResults }) => ({ result: retrievalResults }),
}

/** A model of the user's choice is called with the retrieved documents. */
const GENERATE: AgentCommand = {
  operation: 'generate_content',
  describeInput: ({ retrieveAndGenerateConfiguration, sessionId }) => {
    const { knowledgeBaseConfiguration, externalSourcesConfiguration } = asRecord(retrieveAndGenerateConfiguration)
    const { knowledgeBaseId, modelArn } = asRecord(knowledgeBaseConfiguration ?? externalSourcesConfiguration)
    return { model: asName(modelArn), dataSource: asName(knowledgeBaseId), session: sessionId }
  },
  readRequest: ({ input }) => ({ messages: [{ role: 'user', parts: [textPart(asRecord(input).text)] }] }),
  readResponse: ({ output, citations, guardrailAction }) =>
    toAnswer({ text: asRecord(output).text, citations, guardrail: readIntervention(guardrailAction) }),
}

const INVOKE_AGENT: AgentCommand = {
  operation: 'invoke_agent',
  describeInput: ({ agentId, agentName, foundationModel, sessionId }) => ({
    agent: asName(agentId ?? agentName),
    model: asName(foundationModel),
    session: sessionId,
  }),
  readRequest: readAgentRequest,
  stream: { field: 'completion', createSchema: createAgentStream },
}

/** The recorded commands. A new one is one row. */
const COMMANDS: Readonly<Record<string, AgentCommand>> = {
  InvokeAgentCommand: INVOKE_AGENT,
  InvokeInlineAgentCommand: INVOKE_AGENT,
  InvokeFlowCommand: {
    operation: 'invoke_agent',
    describeInput: ({ flowIdentifier, executionId }) => ({ agent: asName(flowIdentifier), session: executionId }),
    readRequest: ({ inputs }) => ({ input: readDocuments(inputs) }),
    stream: { field: 'responseStream', createSchema: createFlowStream },
  },
  RetrieveCommand: RETRIEVE,
  RetrieveAndGenerateCommand: GENERATE,
  RetrieveAndGenerateStreamCommand: {
    ...GENERATE,
    stream: {
      field: 'stream',
      createSchema: () => ({
        toDelta: ({ output, citation, guardrail }) => ({
          text: asRecord(output).text,
          citations: asRecord(citation).citation ?? citation,
          guardrail: readIntervention(asRecord(guardrail).action),
        }),
        table: { text, citations: each, guardrail: last },
        isComplete: () => false,
        readResponse: toAnswer,
      }),
    },
  },
}

/** Describes a command; undefined if it is not recorded. */
export function describeAgentCommand(command: unknown): MethodSpec | undefined {
  const fields = asRecord(command)
  const agentCommand = own(COMMANDS, readCommandName(fields))
  if (!agentCommand) return undefined
  const input = asRecord(fields.input)
  const { session, ...describeInput } = agentCommand.describeInput(input)
  const { readResponse, stream } = agentCommand
  // A session that begins with the request has its id in the answer.
  const conversationIn = ({ sessionId, executionId }: Fields) => asName(session) ?? asName(sessionId ?? executionId)
  let conversation: string | undefined
  return {
    name: 'send',
    operation: agentCommand.operation,
    describeRequest: (_, [, options]) => ({
      ...describeInput,
      attributes: defined({
        [GEN_AI.PROVIDER_NAME]: 'aws.bedrock',
        [GEN_AI.CONVERSATION_ID]: asName(session),
        [GEN_AI.REQUEST_STREAM]: readResponse && stream ? true : undefined,
        [ATTRIBUTE.OBSERVATION_TYPE]: agentCommand.operation === 'retrieval' ? 'retriever' : undefined,
      }),
      readContent: () => agentCommand.readRequest(input),
      signal: asRecord(options).abortSignal ?? null,
    }),
    readResponse: (output) => ({ conversation: conversationIn(output), ...readResponse?.(output) }),
    ...(stream && {
      createAccumulator() {
        const schema = stream.createSchema()
        return new Accumulator({
          ...schema,
          readResponse: (whole) => ({ conversation, ...schema.readResponse(whole) }),
        })
      },
      findStream(output: Fields) {
        conversation = conversationIn(output)
        return output[stream.field]
      },
    }),
  }
}

function toAnswer({ text, citations, guardrail }: Fields): ResponseContent {
  return {
    messages: asArray(text).map((answer) => ({ role: 'assistant', parts: [textPart(answer)] })),
    citations: asArray(citations),
    finishReasons: asArray(guardrail).flatMap((reason) => asName(reason) ?? []),
  }
}
