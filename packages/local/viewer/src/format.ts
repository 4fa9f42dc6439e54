/** Microseconds for people: `840 µs`, `12 ms`, `1.24 s`, `2 m 05 s`. */
export function duration(micros: number): string {
  const ms = Math.max(0, micros) / 1_000
  if (ms < 1) return ms === 0 ? '0 ms' : `${Math.round(ms * 1_000)} µs`
  if (ms < 1_000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 60) return `${seconds.toFixed(2)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${pad(Math.floor(seconds % 60))} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`
}

const pad = (number: number) => String(number).padStart(2, '0')

/** Large numbers for people: `950`, `1.2 k`, `3.4 M`. */
export function amount(number: number): string {
  if (number < 1_000) return String(number)
  // What would be rounded to the next unit, or to one digit more, has that one.
  if (number < 999_500) return `${(number / 1_000).toFixed(number < 9_950 ? 1 : 0)} k`
  return `${(number / 1_000_000).toFixed(1)} M`
}

export const exact = (number: number): string => number.toLocaleString('en')

/** A number with three decimals at most. */
export const rounded = (number: number): string => String(Math.round(number * 1_000) / 1_000)

/** US dollars, as many digits as say something. */
export function dollars(usd: number, estimated = false): string {
  if (usd > 0 && usd < 0.000001) return '< $0.000001'
  const digits = usd === 0 || usd >= 1 ? 2 : Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(usd))))
  return `${estimated ? '≈ ' : ''}$${usd.toFixed(digits)}`
}

/** Returns how long ago a time was: `now`, `12 s`, `5 m`, `3 h`, `2 d`. */
export function ago(ms: number, now = Date.now()): string {
  const seconds = Math.round((now - ms) / 1_000)
  if (seconds < 2) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Local time; its date, too, when it is not of today. */
export function clock(ms: number): string {
  const date = new Date(ms)
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
  const today = new Date()
  if (date.toDateString() === today.toDateString()) return time
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`
  return date.getFullYear() === today.getFullYear() ? `${day} ${time.slice(0, 5)}` : `${day} ${date.getFullYear()}`
}

export const utc = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')} UTC`
