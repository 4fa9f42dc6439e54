// What vitest prints during `npm test`: each failure when it happens, and how far the run is, as a bar in a terminal and
// as a line every 15 seconds elsewhere.
import { relative, sep } from 'node:path'
import { Progress } from './progress.mjs'

const EVERY = 15_000
const BAR = 30

export default class ProgressReporter {
  #vitest
  #out
  #progress = new Progress([])
  #timer
  #failed = []

  constructor({ out = process.stdout } = {}) {
    this.#out = out
  }

  onInit(vitest) {
    this.#vitest = vitest
  }

  onTestRunStart(specifications) {
    const durations = new Map(
      specifications.map((each) => [
        this.#path(each.moduleId),
        this.#vitest.cache.getTestSpecificationResult(each)?.duration,
      ]),
    )
    this.#progress = new Progress(durations.keys(), durations)
    const show = () => (this.#out.isTTY ? this.#drawBar() : this.#print(`    ${this.#progress.line()}`))
    this.#timer = setInterval(show, this.#out.isTTY ? 250 : EVERY)
  }

  onTestModuleStart({ moduleId }) {
    this.#progress.begin(this.#path(moduleId))
  }

  onTestCaseResult(test) {
    const { state, errors } = test.result()
    this.#progress.test(state === 'passed')
    if (state === 'failed') this.#printFailure(`${this.#path(test.module.moduleId)} > ${test.fullName}`, test, errors)
  }

  onTestSuiteResult(suite) {
    const errors = suite.errors()
    if (errors.length > 0) this.#printFailure(`${this.#path(suite.module.moduleId)} > ${suite.fullName}`, suite, errors)
  }

  onTestModuleEnd(module) {
    const errors = module.errors()
    if (errors.length > 0) this.#printFailure(this.#path(module.moduleId), module, errors)
    this.#progress.end(this.#path(module.moduleId))
  }

  onTestRunEnd(_, unhandledErrors) {
    clearInterval(this.#timer)
    this.#clearBar()
    if (unhandledErrors.length > 0) this.#vitest.logger.printUnhandledErrors(unhandledErrors)
    this.#print(`    ${this.#progress.line()}`)
    for (const title of this.#failed) this.#print(`    failed: ${title}`)
  }

  #printFailure(title, task, errors) {
    this.#failed.push(title)
    this.#clearBar()
    this.#print(`FAILED ${title}`)
    for (const { content } of task.logs()) this.#print(content.trimEnd())
    for (const error of errors) this.#vitest.logger.printError(error, { project: task.project })
  }

  #drawBar() {
    const full = Math.round(this.#progress.share * BAR)
    const line = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${this.#progress.line()}`
    this.#out.write(`\r\u001b[2K${line.slice(0, (this.#out.columns ?? 80) - 1)}`)
  }

  #clearBar() {
    if (this.#out.isTTY) this.#out.write('\r\u001b[2K')
  }

  #print(text) {
    this.#out.write(`${text}\n`)
  }

  #path(moduleId) {
    return relative(this.#vitest.config.root, moduleId).split(sep).join('/')
  }
}
