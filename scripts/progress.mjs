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
  #done = { files: 0, passed: 0, failed: 0 }

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
  }

  test(isPassed) {
    this.#done[isPassed ? 'passed' : 'failed']++
  }

  /** The part of the files that is done, from 0 to 1. */
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

  /** What is left takes as much longer than in the last run as what is done did; unknown until a tenth is done. */
  #timeLeft(now) {
    const total = this.#sum(this.#durations.keys())
    const running = this.#sum(this.#running.keys(), (file) => now - this.#running.get(file))
    const left = this.#sum(this.#waiting) - running
    const done = total - left
    if (left <= 0 || done * 10 < total) return undefined
    return `about ${duration(((now - this.#started) * left) / done)} left`
  }

  /** Milliseconds of files in the last run, of each at most `limit`. */
  #sum(files, limit = () => Infinity) {
    return [...files].reduce((sum, file) => sum + Math.min(this.#durations.get(file) ?? 0, limit(file)), 0)
  }
}

/** In words, rounded: 40 s, 3 min. */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
