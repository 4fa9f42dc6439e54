import type { RegisterSvcOptions } from './options.ts'

export async function registerSvc(_options: RegisterSvcOptions = {}): Promise<void> {}
