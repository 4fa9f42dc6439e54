/** Status message of a span that the end of the process ends. */
export const ENDED_EARLY = 'the process ended before the result came'
