import type { ChatPromptClient, SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { PromptKind } from './prompt-options.ts'

declare global {
  /**
   * The prompts of this project: the module that `svc prompts` writes fills it, and `prompt.get` and `compile` are
   * checked against it. Global, so that one entry counts for `import` and `require` and for every copy of the package.
   */
  interface SvcPrompts {}
}

/** Names of the prompts that are kept as files in this project; `never` where none are. */
export type RegisteredName = keyof SvcPrompts & string

/** A name that no file is of: any text where none are; else only one that the compiler does not know. */
export type OtherName<N extends string> = [RegisteredName] extends [never] ? N : string extends N ? N : never

/** What is needed to fill in a variable: anything but `undefined` and `null`, which render as nothing. */
export type PromptValue = NonNullable<unknown>

/** `text` or `chat`, as the file says. */
export type RegisteredKind<N extends RegisteredName> = SvcPrompts[N] extends { type: infer K extends PromptKind }
  ? K
  : PromptKind

/** The prompt of that name, with `compile` as its file needs it. */
export type RegisteredPrompt<N extends RegisteredName> = N extends RegisteredName
  ? SvcPrompts[N] extends { type: 'text'; variables: infer V extends object }
    ? TextPromptClient<V>
    : SvcPrompts[N] extends { type: 'chat'; variables: infer V extends object; placeholders: infer P extends object }
      ? ChatPromptClient<V, P>
      : SvcPromptClient
  : never

/** What `compile` takes: an argument may be left out where nothing in it is needed. */
export type CompileArguments<V extends object, P extends object> = Nothing extends P
  ? Nothing extends V
    ? [variables?: V, placeholders?: P]
    : [variables: V, placeholders?: P]
  : [variables: V, placeholders: P]

type Nothing = Record<never, never>
