import { defineConfig } from 'vitest/config'

// Beside the tests of an application: vitest run --config evals.config.js. Models are slower than units.
export default defineConfig({ test: { include: ['*.eval.js'], slowTestThreshold: 10_000 } })
