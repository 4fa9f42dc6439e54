import { type DynamicModule, Module } from '@nestjs/common'
import type { SvcModuleExtras, SvcModuleOptions } from '../options.ts'
import { SvcModule } from '../svc.module.ts'
import { memory } from './memory.ts'
import { SvcTesting } from './svc-testing.ts'

/**
 * Keeps the spans of a test in memory; nothing is sent, no variable is read.
 *
 * @example
 * const module = await Test.createTestingModule({ imports: [SvcTestingModule.forRoot(), AppModule] }).compile()
 * const svc = module.get(SvcTesting)
 * expect(await svc.spans()).toMatchObject([{ name: 'ChatController.ask', userId: 'ada' }])
 */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: that is what a dynamic module of Nest is.
export class SvcTestingModule {
  /**
   * @param options of the `SvcModule`, where the modules under test do not import one themselves
   * @throws {Error} when another pipeline runs in this process
   */
  static forRoot(options?: SvcModuleOptions & SvcModuleExtras): DynamicModule {
    const kept = memory()
    kept.spans = []
    return {
      module: SvcTestingModule,
      global: true,
      imports: options ? [SvcModule.forRoot(options)] : [],
      providers: [{ provide: SvcTesting, useFactory: () => new SvcTesting(kept) }],
      exports: [SvcTesting],
    }
  }
}
