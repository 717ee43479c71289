output "machines" {
  description = "One object per machine."
  value       = terraform_data.machine[*].output
}

output "spot" {
  description = "Whether the machines are spot."
  value       = local.spot
}

output "volume_gib" {
  description = "Size of each machine's volume in GiB; 0 if it uses its local disk."
  value       = local.volume_gib
}

output "cost_usd" {
  description = "Estimated cost of the job in USD."
  value       = var.cost_usd
}
