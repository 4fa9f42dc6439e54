import { own } from '@svc/core/own'
import { writeText } from '../../exact-json.ts'
import type { Value } from '../../store/received.ts'
import { isMap } from '../map/read.ts'
import { aiSdk, isAiSdk } from './ai-sdk.ts'
import { gemini, isGemini } from './gemini.ts'
import { isOpenAi, openAi } from './open-ai.ts'
import { isMicrosoftAgent, isPydanticAi, microsoftMessage, pydanticMessage } from './parts.ts'
import {
  type Adapted,
  type Adapter,
  type ChatSource,
  chat,
  hasRole,
  messagesOf,
  typeOf,
  withFlatCalls,
} from './shape.ts'

/** The adapters in the order in which the service tries them, for input and output separately. */
export const ADAPTERS: readonly Adapter[] = [
  { name: 'langgraph', fits: isLangGraph, adapt: langGraph },
  { name: 'aisdk', fits: isAiSdk, adapt: aiSdk },
  { name: 'openai', fits: isOpenAi, adapt: openAi },
  { name: 'gemini', fits: isGemini, adapt: gemini },
  { name: 'microsoft-agent', fits: isMicrosoftAgent, adapt: (value) => chat(messagesOf(value).map(microsoftMessage)) },
  { name: 'pydantic-ai', fits: isPydanticAi, adapt: (value) => chat(messagesOf(value).map(pydanticMessage)) },
  { name: 'generic', fits: () => true, adapt: generic },
]

const LANGCHAIN_TYPES: readonly unknown[] = ['human', 'ai', 'tool', 'system']

function isLangGraph(source: ChatSource): boolean {
  if (Object.keys(source.metadata).some((key) => /^(ls|langgraph)_/.test(key))) return true
  const { value } = source
  if (isAiSdk(source) || (isMap(value) && Array.isArray(value.tools))) return false
  const messages = messagesOf(value)
  if (messages.length === 0) return false
  return (
    messages.every((message) => hasRole(message) && isMap(message) && message.parts === undefined) ||
    messages.every((message) => LANGCHAIN_TYPES.includes(typeOf(message)))
  )
}

const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
  system: 'system',
}

/** One message stands for a list of it. */
function langGraph(value: Value): Adapted {
  const isMessage = isMap(value) && !Array.isArray(value.messages) && (hasRole(value) || value.type !== undefined)
  return chat((isMessage ? [value] : messagesOf(value)).map(langGraphMessage))
}

function langGraphMessage(message: Value): Value {
  if (!isMap(message)) return message
  const { type, ...rest } = message
  const role = message.role ?? own(LANGCHAIN_ROLES, writeText(type))
  return withFlatCalls({ ...rest, ...(role === undefined ? {} : { role }) })
}

/** Parts become one text, unless a call or a result is among them: then they are a table. */
function generic(value: Value): Adapted | undefined {
  const messages = Array.isArray(value) ? value : isMap(value) && hasRole(value) ? [value] : messagesOf(value)
  if (messages.length === 0 || !messages.every(hasRole)) return undefined
  return chat(
    messages.map((message) => {
      if (!isMap(message) || !Array.isArray(message.parts)) return message
      const { parts, ...rest } = message
      if (parts.some((part) => /^tool_call/.test(writeText(typeOf(part))))) return { ...rest, content: { parts } }
      return {
        ...rest,
        content: parts.map((part) => (isMap(part) && typeof part.content === 'string' ? part.content : '')).join(''),
      }
    }),
  )
}
