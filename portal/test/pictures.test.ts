import { expect, test } from 'vitest'
import { within } from '../src/answer/evidence.ts'
import { runOf } from '../src/chart/timeline.ts'
import { added, type Comparand, MOST, read, written } from '../src/comparands.ts'
import { chance, hoursOfUnit, times } from '../src/units.ts'

const SPOT = {
  interruptions_per_hour: 0.5,
  interruptions_source: 'stated',
  checkpoint_interval_minutes: 60,
  checkpoint_write_minutes: 6,
  start_minutes: 30,
  restart_minutes: 30,
  expected_restarts: 1.4,
  work_hours: 2.5,
  segments: 3,
  finish_probability: 0.9,
  survival_probability: 0.2,
  on_demand_cost_usd: null,
}

test('a run starts, writes a checkpoint after each interval and one at its end, and loses what is left of its time', () => {
  const run = runOf(SPOT, { value: 4.8, low: 3, high: 9 })
  expect(run.checkpoints.map((hour) => hour.toFixed(1))).toEqual(['1.6', '2.7', '3.3'])
  expect([run.start, run.undisturbed, run.lost, run.between].map((hour) => hour?.toFixed(1))).toEqual([
    '0.5', '3.3', '1.5', '2.0',
  ])
})

test('a run that nothing interrupts loses nothing', () => {
  const run = runOf({ ...SPOT, interruptions_per_hour: 0 }, { value: 3.3, low: 3, high: 4 })
  expect([run.lost < 1e-9, run.between]).toEqual([true, null])
})

test('machines to compare go into an address and come out as they were', () => {
  const machines: Comparand[] = [
    { cloud: 'aws', instance_type: 'p3.2xlarge', node_count: 2, region: 'us-east-1', purchase: 'spot' },
    { cloud: 'gcp', instance_type: 'g2-standard-8' },
    { cloud: 'aws', instance_type: 'g5.xlarge', region: 'eu-west-1' },
    { accelerator: 'V100-16GB', count: 8, usd_per_hour: 3.06 },
    { accelerator: 'T4', count: 1 },
  ]
  expect(written(machines)).toBe('aws/p3.2xlarge/2/us-east-1/spot,gcp/g2-standard-8,aws/g5.xlarge//eu-west-1,own/V100-16GB/8/3.06,own/T4/1')
  expect(read(written(machines))).toEqual(machines)
  expect(read('aws,,/x, own/T4')).toEqual([{ accelerator: 'T4', count: 1 }])
})

test('a machine is compared once, and no more of them than the service takes', () => {
  const one: Comparand = { accelerator: 'T4', count: 1 }
  const many = Array.from({ length: MOST }, (_, count): Comparand => ({ accelerator: 'A100', count }))
  expect(added([one], { accelerator: 'T4', count: 1 })).toEqual([one])
  expect(added(many, one)).toEqual(many)
  expect(read(written([...many, one]))).toHaveLength(MOST)
})

test('predictions that are too high count as those that are too low', () => {
  const pairs = [[100, 200], [100, 50], [100, 110], [100, 100]].map(([measured = 0, predicted = 0]) => ({
    measured, predicted, same: false,
  }))
  expect([within(pairs, 0.5), within(pairs, 0.9), within([], 0.5)]).toEqual([1.1, 2, 1])
})

test('only what is certain is a hundred percent', () => {
  expect([chance(1), chance(0.9999), chance(0.714), chance(0)]).toEqual(['100%', '> 99.9%', '71.4%', '0%'])
  expect([times(2.5), hoursOfUnit(3), hoursOfUnit(72), hoursOfUnit(0.5)]).toEqual(['× 2.5', 1, 24, 1 / 60])
})
