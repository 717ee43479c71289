output "machines" {
  description = "One object a machine."
  value       = terraform_data.machine[*].output
}

output "spot" {
  description = "Whether the machines are spot."
  value       = local.spot
}

output "volume_gib" {
  description = "Size of each machine's volume in GiB; 0 where its own disk serves."
  value       = local.volume_gib
}

output "cost_usd" {
  description = "What the job is estimated to cost."
  value       = var.cost_usd
}
