export * from '../../contract/time/format-time.ts'
