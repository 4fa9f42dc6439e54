/** Rejection of `score.createAndWait`: the service did not accept the score. The message has the reason. */
export class SvcScoreError extends Error {
  override name = 'SvcScoreError'
}
