import { registerSvc, withSvc } from '@svc/next'

export const register = () => registerSvc({ serviceName: 'bench' })

export const wrap = (name, handler) => withSvc({ name }, handler)
