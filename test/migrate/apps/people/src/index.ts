export { default as svc, getClient, clients as everywhere } from './svc.js'
export * from './svc.js'
