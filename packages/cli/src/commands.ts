import { QUESTIONS, type QuestionName, type QuestionRow } from '@svc/local/parameters'
import type { CommandGroup, CommandRow } from './command.ts'

const TO_ANY_ADDRESS = ['--yes', 'send keys of the environment to an address from .env'] as const
const PROMPT_FOLDER = ['--dir <folder>', 'folder of the files (default: prompts)'] as const

const PLACE = [
  ['--local [url]', 'read from the running svc local (default without keys: http://127.0.0.1:3939)'],
  ['--db <file>', 'read from the file of svc local --db'],
  TO_ANY_ADDRESS,
] as const

const JSON_LINES = ['--json', 'print an object a line'] as const

/** The command of a question, from the table of its parameters. */
function traceCommand(name: QuestionName): CommandRow {
  const { about, parameters }: QuestionRow = QUESTIONS[name]
  const entries = Object.entries(parameters)
  const operands = entries.flatMap(([key, { isOperand, isRequired }]) =>
    isOperand ? [isRequired ? `<${key}>` : `[${key}]`] : [],
  )
  const flags = entries.flatMap(([key, { isOperand, value, about: description }]) =>
    isOperand ? [] : [[`${flagOf(key)}${value ? ` ${value}` : ''}`, description] as const],
  )
  return {
    name,
    summary: about,
    ...(operands.length > 0 && { operands: operands.join(' ') }),
    flags: [...flags, JSON_LINES, ...PLACE],
    load: async () => ({ run: (await import('./traces/command.ts')).commandOf(name) }),
  }
}

const flagOf = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const list = traceCommand('list')

/** The commands of `svc`. A new command is a row here and the module that it loads. */
export const COMMANDS: readonly (CommandRow | CommandGroup)[] = [
  {
    name: 'doctor',
    summary: 'Find out why no traces arrive from the app in this folder',
    operands: '[command...]',
    flags: [
      ['--json', 'print the findings as JSON'],
      ['--offline', 'send no requests'],
      ['--config <file>', 'run this config file of the app: no other file is run'],
      ['--yes', 'send keys to an address from a file of the folder'],
    ],
    more: `
With a command after --, starts the app with the preload and reports what happened to its spans:

  svc doctor -- node app.js

Exit code 1 if traces cannot arrive, 2 for an invalid flag.`,
    load: () => import('./doctor/command.ts'),
  },
  {
    name: 'run',
    summary: 'Run a command with the preload in each Node process that it starts',
    operands: '[command...]',
    more: `
From any folder, whatever starts what: npm scripts, npx, children, workers. Package managers, compilers and test runners
among them are not traced.

  svc run -- npm start

The exit code is that of the command.`,
    endsWithCommand: true,
    load: () => import('./run.ts'),
  },
  {
    name: 'replay',
    summary: 'Run a command again whose model calls are answered from a trace',
    operands: '<trace> [command...]',
    flags: [
      ['--until <observation>', 'answer what ran before it; it, and what follows, asks the model'],
      ['--change <file>', 'replace the system prompt of requests by this text; with --until, of those that are sent'],
      ['--tools', 'answer tools from the trace as well'],
      ['--on-divergence <live|fail>', 'what becomes of a request that differs from the trace (default: fail)'],
      ...PLACE,
    ],
    more: `
The trace is an id, the beginning of one, or a file of svc traces export.

  svc replay 4bf92f35 -- node app.js

The exit code is that of the command; 1 if a request differed and failed.`,
    load: () => import('./replay/command.ts'),
  },
  {
    name: 'migrate',
    summary: 'Migrate an app to version 6, and import datasets of another platform',
    commands: [
      {
        name: 'code',
        summary: 'Rewrite TypeScript and JavaScript of version 5 to version 6',
        operands: '[dir]',
        flags: [
          ['--check', 'for CI: write nothing, exit code 1 if something is left to do'],
          ['--dry-run', 'write nothing, print the changes as a diff'],
          ['--yes', 'do not ask'],
          ['--force', 'also with uncommitted changes, or without git'],
        ],
        more: `
Rewrites what has a single replacement, also in package.json, and lists the rest with file, line and reason, and how it
is done now. Unaffected code stays the same byte for byte.`,
        load: () => import('./migrate/code/command.ts'),
      },
      {
        name: 'env',
        summary: 'List variables of version 5 and of other SDKs, with their replacements',
        operands: '[dir]',
        flags: [
          ['--check', 'for CI: write nothing, exit code 1 if something is left to do'],
          ['--write', 'rename variables that have another name, and comment out the others in .env files'],
        ],
        more: `
Reads .env files, compose files, Dockerfiles and CI files. No value is printed.`,
        load: () => import('./migrate/env/command.ts'),
      },
      {
        name: 'datasets',
        summary: 'Import datasets of another platform into the project of SVC_PUBLIC_KEY',
        flags: [
          ['--from <url>', 'URL of the API to import from, with its region'],
          ['--dataset <id...>', 'id of a dataset; one or more, or --all'],
          ['--as <name...>', 'name in the service (default: the id)'],
          ['--all', 'all datasets that the key can read'],
          ['--map <file>', 'a module with a mapping: export default (row) => ({ input, expectedOutput, metadata })'],
          ['--dry-run', 'print three items of each, and write nothing'],
          ['--restart', 'start again, ignoring the progress of an earlier run'],
          ['--concurrency <n>', 'items written concurrently (8)'],
        ],
        more: `
The key of that platform is SOURCE_API_KEY. What was stopped, or fell over, goes on where it stood: .svc-migrate in this
folder says how far it came.

Exit code 1 when something stands in the way or the counts differ, 2 when a flag makes no sense.`,
        load: () => import('./migrate/datasets/command.ts'),
      },
    ],
  },
  {
    name: 'prompts',
    summary: 'Keep prompts of the service as files of the project',
    commands: [
      {
        name: 'pull',
        summary: 'Write prompts of the service to files: those that have a file, or all the first time',
        operands: '[name...]',
        flags: [
          PROMPT_FOLDER,
          ['--label <label>', 'the version with this label (default: as before, or production)'],
          ['--all', 'all prompts with this label'],
          ['--force', 'overwrite files with local changes'],
          TO_ANY_ADDRESS,
        ],
        load: () => import('./prompts/pull.ts'),
      },
      {
        name: 'push',
        summary: 'Create new versions from changed files, with their labels',
        operands: '[name...]',
        flags: [
          PROMPT_FOLDER,
          ['-m, --message <text>', 'commit message of the new versions'],
          ['--dry-run', 'only print what would be created'],
          ['--force', 'also if the service has a newer version'],
          TO_ANY_ADDRESS,
        ],
        load: () => import('./prompts/push.ts'),
      },
      {
        name: 'check',
        summary: 'For CI: exit code 1 and a diff if files, lock file, types and service differ',
        operands: '[name...]',
        flags: [PROMPT_FOLDER, ['--offline', 'compare only files, lock file and types'], TO_ANY_ADDRESS],
        load: () => import('./prompts/check.ts'),
      },
      {
        name: 'types',
        summary: 'Regenerate the module with the types after changing a file',
        flags: [PROMPT_FOLDER],
        load: () => import('./prompts/types.ts'),
      },
    ],
  },
  {
    name: 'traces',
    summary:
      'Ask what happened: list, show, errors, tail, diff, stats. For people, agents (piped) and programs (--json)',
    commands: [
      list,
      ...(['show', 'errors'] as const).map(traceCommand),
      {
        ...list,
        name: 'tail',
        summary: 'Print traces as they arrive',
        load: () => import('./traces/tail.ts'),
      },
      ...(['diff', 'stats'] as const).map(traceCommand),
      {
        name: 'export',
        summary: 'Print a trace as the file that svc replay takes',
        operands: '<id>',
        flags: PLACE,
        load: () => import('./traces/export.ts'),
      },
    ],
  },
  {
    name: 'datasets',
    summary: 'Make items of a dataset from traces',
    commands: [
      {
        name: 'add',
        summary: 'Add the traces that fit, each once: what is added is listed first, and you are asked',
        operands: '<name>',
        flags: [
          ['--where <conditions>', "which traces, by the flags of svc traces list: 'level=ERROR since=1d'"],
          ['--input <value>', 'input of the items: a part of the trace such as .input.question (default: .input)'],
          ['--expected <value>', 'expected output: a text, JSON, or a part of the trace such as .output'],
          ...PLACE.filter((flag) => flag !== TO_ANY_ADDRESS),
          ['--yes', 'do not ask; also send keys of the environment to an address from .env'],
        ],
        load: () => import('./datasets/add.ts'),
      },
    ],
  },
  {
    name: 'init-evals',
    summary: 'Write an experiment over a dataset as a vitest file, and the GitHub workflow that runs it',
    operands: '<dataset>',
    flags: [
      ['--task <file#function>', 'the function that is tested: src/answer.js#answer'],
      ['--yes', 'write over files that differ'],
    ],
    load: () => import('./evals/init.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve the same answers to agents over the Model Context Protocol (stdio), read-only',
    flags: [['--allow-write', 'also tools that create scores and dataset items'], ...PLACE],
    load: () => import('./mcp/command.ts'),
  },
  {
    name: 'skill',
    summary: 'Write a skill for coding agents: what to run when',
    flags: [
      ['--dir <folder>', 'folder of the skills (default: .claude/skills or .agents/skills)'],
      ['--force', 'write over a changed one'],
    ],
    load: () => import('./skill/command.ts'),
  },
  {
    name: 'local',
    summary: 'Run the service on this machine (svc local --help has its flags)',
    readsItsOwnFlags: true,
    load: () => import('./local.ts'),
  },
]
