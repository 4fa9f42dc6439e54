/**
 * The command that runs this program where it was started, for hints. A program of a project, or one that npx has fetched,
 * is not on the path of a shell.
 */
export const SVC = commandOf(process.argv[1])

export function commandOf(program = ''): string {
  const parts = program.split(/[\\/]/)
  return parts.includes('node_modules') && /^svc(?:\.js)?$/.test(parts.at(-1) ?? '') ? 'npx @svc/cli' : 'svc'
}
