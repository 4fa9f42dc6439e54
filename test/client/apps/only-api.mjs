export { bind } from '../../../packages/client/dist/api/bind.js'
export { ENDPOINTS } from '../../../packages/client/dist/api/endpoints.js'
