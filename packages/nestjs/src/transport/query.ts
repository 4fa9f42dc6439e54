import type { ExecutionContext } from '@nestjs/common'

/** The part that we read of the information that GraphQL passes to a resolver. */
interface ResolveInfo {
  readonly operation?: { readonly operation?: string; readonly name?: { readonly value?: string } }
  readonly fieldName?: string
  readonly parentType?: { getFields?(): Readonly<Record<string, Field | undefined>> }
}

/** A field of the schema. Its resolver may be replaced: GraphQL looks it up each time. */
interface Field {
  resolve?: unknown
}

/** Apollo and Nest call the request `req`, Mercurius has it on the reply. */
interface QueryContext {
  readonly req?: unknown
  readonly request?: unknown
  readonly reply?: { readonly request?: unknown }
}

/** A resolver's view of the operation. */
export class Query {
  readonly request: unknown
  /** Name of the operation, if its author gave one. */
  readonly name: string | undefined
  readonly args: unknown
  /** The value that GraphQL passes to all resolvers of an operation. */
  readonly contextValue: unknown
  readonly fieldName: string
  /** The field in the schema. */
  readonly field: Field | undefined
  /** True for a subscription, which runs until the client unsubscribes. */
  readonly isSubscription: boolean

  constructor(host: ExecutionContext) {
    const [, args, context, info] =
      host.getArgs<[unknown, unknown, QueryContext | undefined, ResolveInfo | undefined]>()
    this.request = context?.req ?? context?.request ?? context?.reply?.request
    this.name = info?.operation?.name?.value
    this.args = args
    this.contextValue = context
    this.fieldName = info?.fieldName ?? ''
    this.field = info?.parentType?.getFields?.()[this.fieldName]
    this.isSubscription = info?.operation?.operation === 'subscription'
  }
}

export function isQuery(host: ExecutionContext): boolean {
  return host.getType<string>() === 'graphql'
}
