/**
 * How far a run of tests is: files done of total, tests, failures, and the time left by what the files took in the last
 * run. `durations` has the milliseconds of each file that is known from there.
 */
export class Progress {
  #waiting
  #durations
  #started
  #running = new Map()
  #total
  #done = { files: 0, passed: 0, failed: 0, milliseconds: 0 }

  constructor(files, durations = new Map(), now = Date.now()) {
    this.#waiting = new Set(files)
    this.#total = this.#waiting.size
    this.#durations = durations
    this.#started = now
  }

  begin(file, now = Date.now()) {
    this.#running.set(file, now)
  }

  end(file) {
    if (!this.#waiting.delete(file)) return
    this.#running.delete(file)
    this.#done.files++
    this.#done.milliseconds += this.#durations.get(file) ?? 0
  }

  test(isPassed) {
    this.#done[isPassed ? 'passed' : 'failed']++
  }

  /** Of one, so that a bar can show it. */
  get share() {
    return this.#total === 0 ? 1 : this.#done.files / this.#total
  }

  line(now = Date.now()) {
    const { files, passed, failed } = this.#done
    const parts = [`${files} of ${this.#total} files`, `${passed} passed`, `${failed} failed`, this.#timeLeft(now)]
    const [file, since] = [...this.#running].sort(([, one], [, other]) => one - other)[0] ?? []
    if (file !== undefined) parts.push(`${file} has run for ${duration(now - since)}`)
    return parts.filter(Boolean).join(', ')
  }

  /** The files that wait take as much longer than in the last run as those that are done did. */
  #timeLeft(now) {
    const left = [...this.#waiting].reduce((sum, file) => sum + (this.#durations.get(file) ?? 0), 0)
    if (left === 0 || this.#done.milliseconds === 0) return undefined
    return `about ${duration(((now - this.#started) * left) / this.#done.milliseconds)} left`
  }
}

/** In words, rounded: 40 s, 3 min. */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
