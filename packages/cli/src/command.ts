/** A command of `svc`. */
export interface CommandRow {
  readonly name: string
  /** What it does, in one line of `svc --help`. */
  readonly summary: string
  /** Arguments after the flags, in the syntax of `--help`: `[command...]`, `<a> [b]`. */
  readonly operands?: string
  readonly flags?: readonly (readonly [flag: string, description: string])[]
  /** Text below the flags in `svc <name> --help`. */
  readonly more?: string
  /** Whether the command parses everything after its name itself. */
  readonly readsItsOwnFlags?: boolean
  /** Whether flags after the first operand belong to it. */
  readonly endsWithCommand?: boolean
  /** Loads the command when it runs, so that `svc --help` stays fast. */
  readonly load: () => Promise<{ readonly run: RunCommand }>
}

/** Commands under one name, like `svc migrate code` and `svc migrate env`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandRow[]
}

/**
 * Runs a command.
 *
 * @param operands arguments after the flags, or everything after the name of a command that reads its own flags
 * @param flags values of the flags, by names in camel case
 * @returns the exit code; undefined if the command keeps running and ends by itself
 */
export type RunCommand = (
  operands: readonly string[],
  flags: Readonly<Record<string, unknown>>,
) => Promise<number | undefined>
