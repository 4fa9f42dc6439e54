import type { ChatPromptClient, SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { PromptKind } from './prompt-options.ts'

declare global {
  /**
   * The prompts of this project. The module that `svc prompts` writes adds them, and the compiler checks `prompt.get`
   * and `compile` against them. Global, so that it applies to `import`, `require` and every copy of the package.
   */
  interface SvcPrompts {}
}

/** Names of the prompts that are kept as files in this project; `never` if there are none. */
export type RegisteredName = keyof SvcPrompts & string

/** A name without a file. If there are files, only a `string` that the compiler does not know as a literal. */
export type OtherName<N extends string> = [RegisteredName] extends [never] ? N : string extends N ? N : never

/** The value of a variable: anything but `undefined` and `null`, which render as empty. */
export type PromptValue = NonNullable<unknown>

/** `text` or `chat`, as in the file. */
export type RegisteredKind<N extends RegisteredName> = SvcPrompts[N] extends { type: infer K extends PromptKind }
  ? K
  : PromptKind

/** The prompt client for a name, with the parameters of `compile` from its file. */
export type RegisteredPrompt<N extends RegisteredName> = N extends RegisteredName
  ? SvcPrompts[N] extends { type: 'text'; variables: infer V extends object }
    ? TextPromptClient<V>
    : SvcPrompts[N] extends { type: 'chat'; variables: infer V extends object; placeholders: infer P extends object }
      ? ChatPromptClient<V, P>
      : SvcPromptClient
  : never

/** Arguments of `compile`: one without required fields is optional. */
export type CompileArguments<V extends object, P extends object> = Nothing extends P
  ? Nothing extends V
    ? [variables?: V, placeholders?: P]
    : [variables: V, placeholders?: P]
  : [variables: V, placeholders: P]

type Nothing = Record<never, never>
