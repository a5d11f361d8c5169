/** Metrics whose values are read from elsewhere at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** @param counts one count per value of the label. */
export function counter(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  counts: () => Iterable<readonly [string | number, number]>,
): void {
  void new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, count] of counts()) this.inc({ [label]: value }, count)
    },
  })
}

export function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  void new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value())
    },
  })
}
