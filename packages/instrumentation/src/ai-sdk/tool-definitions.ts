import { asArray, asRecord, entryOf, type Fields, isObject } from '../gen-ai/read.ts'

const REDACTED = '[redacted]'

/** Where tools that a provider runs hold secrets, by the id of the tool. */
const REDACTIONS: Readonly<Record<string, (args: Fields) => Fields>> = {
  'openai.mcp': (args) => ({
    ...args,
    ...(args.authorization ? { authorization: REDACTED } : {}),
    ...(isRecord(args.headers) ? { headers: withoutValues(args.headers) } : {}),
  }),
  'openai.code_interpreter': (args) => withoutDomainSecrets(args, 'container'),
  'openai.shell': (args) => withoutDomainSecrets(args, 'environment'),
}

/** The definitions of tools without the credentials of those that a provider runs. */
export function toolDefinitions(tools: unknown): readonly unknown[] | undefined {
  return Array.isArray(tools) ? tools.map(redacted) : undefined
}

function redacted(tool: unknown): unknown {
  const { type, id, args } = asRecord(tool)
  const redact = type === 'provider' && isRecord(args) ? entryOf(REDACTIONS, String(id)) : undefined
  return redact ? { ...asRecord(tool), args: redact(asRecord(args)) } : tool
}

function withoutValues(headers: Fields): Fields {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]))
}

function withoutDomainSecrets(args: Fields, container: string): Fields {
  const { networkPolicy } = asRecord(args[container])
  const { domainSecrets } = asRecord(networkPolicy)
  if (!Array.isArray(domainSecrets)) return args
  const secrets = domainSecrets.map((each) => (isRecord(each) && 'value' in each ? { ...each, value: REDACTED } : each))
  const policy = { ...asRecord(networkPolicy), domainSecrets: secrets }
  return { ...args, [container]: { ...asRecord(args[container]), networkPolicy: policy } }
}

function isRecord(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value)
}

/** The same definitions, and the tools that the provider ran without one. Undefined where there are none of these. */
export function withObserved(definitions: readonly unknown[], content: unknown): readonly unknown[] | undefined {
  const known = new Set(definitions.map((tool) => asRecord(tool).name))
  const all = [...definitions]
  for (const part of asArray(content)) {
    const { type, providerExecuted, toolName } = asRecord(part)
    if (type !== 'tool-call' || !providerExecuted || known.has(toolName)) continue
    known.add(toolName)
    all.push({ type: 'extension', name: toolName })
  }
  return all.length > definitions.length ? all : undefined
}
