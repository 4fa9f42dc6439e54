// Compiles programs with a compiler that is a library, and prints what it says of each. They share a process, and of the
// declarations only ours are checked. Arguments: the compiler's name; as JSON, the arguments that `tsc` would have for each.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , compiler, all] = process.argv
const ts = createRequire(join(process.cwd(), 'app.js'))(compiler)

const diagnostics = JSON.parse(all).map((args) => {
  const { options, fileNames, errors } = ts.parseCommandLine(args)
  const program = ts.createProgram(fileNames, options)
  const ours = program.getSourceFiles().filter(({ fileName }) => !/node_modules\/(?!@svc\/)/.test(fileName))
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  return found.map((each) => `${each.file?.fileName}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n')}`)
})
console.log(JSON.stringify(diagnostics))
