export { formatPower, formatReading } from '../../contract/kernel/quantity.ts'
