import { ConfigurableModuleBuilder } from '@nestjs/common'
import type { SvcModuleExtras, SvcModuleOptions } from './options.ts'

const builder = new ConfigurableModuleBuilder<SvcModuleOptions>({ moduleName: 'Svc' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createSvcOptions')
  .setExtras<SvcModuleExtras>({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal ?? true,
  }))
  .build()

export const ConfigurableModuleClass = builder.ConfigurableModuleClass

/** Injection token of the options, as `forRoot` or `forRootAsync` were given them: for `overrideProvider` in tests. */
export const SVC_MODULE_OPTIONS = builder.MODULE_OPTIONS_TOKEN
