/** The files of `svc init-evals`. Their workflow is that of examples/evals-in-ci, but for its command. */

export const EVALS_FOLDER = 'evals'
export const CONFIG_FILE = 'evals.config.mjs'
export const WORKFLOW_FILE = '.github/workflows/evals.yml'

export const configText = () => `import { defineConfig } from 'vitest/config'

// Apart from the tests of the application: models are slower than units.
export default defineConfig({ test: { include: ['${EVALS_FOLDER}/*.eval.js'], slowTestThreshold: 10_000 } })
`

export const evalText = (dataset: string, taskImport: string) => `import { isDeepStrictEqual } from 'node:util'
import { svcExperiment } from '@svc/client/vitest'
${taskImport}

svcExperiment(${JSON.stringify(dataset)}, {
  data: (client) => client.dataset.get(${JSON.stringify(dataset)}),
  task: ({ input }) => task(input),
  evaluators: [({ output, expectedOutput }) => ({ name: 'as-expected', value: fits(output, expectedOutput) ? 1 : 0 })],
  // Each item has to fit, so there is nothing to compare with an earlier run.
  thresholds: { 'as-expected': { min: 1 } },
  baseline: false,
})

/** A text has to contain the expected one, all else to be equal. Where nothing is expected, the task must not throw. */
function fits(output, expected) {
  if (expected === undefined || expected === null) return true
  if (typeof output === 'string' && typeof expected === 'string') return output.includes(expected)
  return isDeepStrictEqual(output, expected)
}
`

export const workflowText = () => `name: evals

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read
  pull-requests: write

jobs:
  evals:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      # The result is in the summary of this step as well.
      - run: npx vitest run --config ${CONFIG_FILE}
        env:
          SVC_PUBLIC_KEY: \${{ secrets.SVC_PUBLIC_KEY }}
          SVC_SECRET_KEY: \${{ secrets.SVC_SECRET_KEY }}
          SVC_BASE_URL: \${{ vars.SVC_BASE_URL }}
          SVC_EXPERIMENT_SUMMARY_DIR: evals
          OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}
      # Also after a failure: that is what one wants to read about. Pull requests from forks may not comment.
      - if: always() && github.event_name == 'pull_request' && !github.event.pull_request.head.repo.fork
        run: cat evals/*.md | gh pr comment \${{ github.event.number }} --body-file - --edit-last --create-if-none
        env:
          GH_TOKEN: \${{ github.token }}
`
