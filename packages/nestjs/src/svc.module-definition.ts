import { ConfigurableModuleBuilder } from '@nestjs/common'
import type { SvcModuleExtras, SvcModuleOptions } from './options.ts'

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<SvcModuleOptions>({
  moduleName: 'Svc',
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createSvcOptions')
  .setExtras<SvcModuleExtras>({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal ?? true,
  }))
  .build()
