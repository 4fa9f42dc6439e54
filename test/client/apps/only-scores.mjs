export { createScoreManager } from '@svc/client/score'
