# The answer as values for other modules: aws/ and gcp/ make machines from them.

locals {
  spot = var.purchase == "spot"
  # A local disk comes with the machine, so there is no volume to order.
  volume_gib = var.disk_type == "nvme" ? 0 : ceil(var.disk_size_gib)
}

resource "terraform_data" "machine" {
  count = var.node_count

  input = {
    cloud      = var.cloud
    region     = var.region
    type       = var.machine_type
    spot       = local.spot
    volume_gib = local.volume_gib
  }
}
